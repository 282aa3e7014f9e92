export const load = ({ locals }) => ({ notes: locals.data.notes, files: locals.data.files })
