"""What concepts are, in whole sentences of lectures, documents and search replies. The entrance is `define.define`."""
