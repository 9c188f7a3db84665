"""Text in English and Chinese: language, sentences, normal forms, matching of terms."""
