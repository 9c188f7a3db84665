"""How an answer is made once the route is known: stored text, Chain of Teach, conversation. No HTTP, no index."""
