"""One module per step, named by its number. A step that was released is never changed."""
