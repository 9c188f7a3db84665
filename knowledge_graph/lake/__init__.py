"""The tables of a home: their schemas, records, files, seals and expectations."""
