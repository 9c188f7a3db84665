"""What people say of answers, as data: reasons, rating forms, experiments and their results. Pure; the store keeps
it."""
