"""What goes wrong between a service and who asks it, for services on loopback: the sandbox's, and a replay's."""
