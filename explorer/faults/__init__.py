"""What goes wrong between a service and who asks it, for what is served on loopback: sandbox, replay, stand-in."""
