"""From a question to an answer: understanding it, finding what may answer, composing or generating, and the trace."""
