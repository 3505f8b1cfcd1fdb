"""The colours of all figures: Okabe and Ito's set, which colour-blind readers can tell apart.

Colour never carries a meaning alone; markers, dashes or labels say the same.
"""

BLUE, ORANGE, GREEN, RED = "#0072b2", "#e69f00", "#009e73", "#d55e00"
PURPLE, SKY = "#a6568a", "#56b4e9"
INK, GREY, FAINT, PAPER = "#1b1f24", "#5f6670", "#c9ced6", "#ffffff"
TINT_RED, TINT_BLUE, TINT_GREEN, TINT_GREY = "#fbe3d4", "#dcecf7", "#d8f0e7", "#f0f2f4"
FONTS = "DejaVu Sans, Verdana, sans-serif"
