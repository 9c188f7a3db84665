#!/bin/sh
# The browser named in LEAN_BROWSER without what nobody sees of it: for each window it draws the suggestions of an address
# bar in a process of its own, a second of processor time. Of two `--disable-features` it heeds the last; hence into the first.
for one in "$@"; do
    shift
    case $one in
        --disable-features=*) one=$one,WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess ;;
    esac
    set -- "$@" "$one"
done
exec "$LEAN_BROWSER" "$@"
