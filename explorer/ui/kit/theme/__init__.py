"""How the window looks: the colours of each scheme, the fonts, the icons, and the one style sheet made from them."""

from explorer.ui.kit.theme.fonts import drawable as drawable
from explorer.ui.kit.theme.fonts import lacking_words as lacking_words
from explorer.ui.kit.theme.fonts import mono as mono
from explorer.ui.kit.theme.fonts import small as small
from explorer.ui.kit.theme.fonts import tabular as tabular
from explorer.ui.kit.theme.scheme import Choice as Choice
from explorer.ui.kit.theme.scheme import Scheme as Scheme
from explorer.ui.kit.theme.scheme import Theme as Theme
from explorer.ui.kit.theme.scheme import colors as colors
from explorer.ui.kit.theme.scheme import icon as icon
from explorer.ui.kit.theme.scheme import kept_choice as kept_choice
from explorer.ui.kit.theme.scheme import palette as palette
from explorer.ui.kit.theme.scheme import restyle as restyle
from explorer.ui.kit.theme.scheme import set_look as set_look
from explorer.ui.kit.theme.scheme import style_sheet as style_sheet
from explorer.ui.kit.theme.scheme import theme as theme
from explorer.ui.kit.theme.tokens import CONTROL as CONTROL
from explorer.ui.kit.theme.tokens import DARK as DARK
from explorer.ui.kit.theme.tokens import HEADER as HEADER
from explorer.ui.kit.theme.tokens import LIGHT as LIGHT
from explorer.ui.kit.theme.tokens import RADIUS as RADIUS
from explorer.ui.kit.theme.tokens import ROW as ROW
from explorer.ui.kit.theme.tokens import STEP as STEP
from explorer.ui.kit.theme.tokens import Colors as Colors
