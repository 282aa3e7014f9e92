import { error, json } from '@sveltejs/kit'

const LIMIT = 100_000

export async function POST({ request, locals: { data } }) {
  const form = await request.formData()
  const file = form.get('file')
  if (!(file instanceof File) || file.size === 0) error(400, 'Choose a file first')
  if (file.size > LIMIT) error(413, 'The file is too large')
  const text = await file.text()
  data.files.push({ name: file.name, size: file.size, lines: text.split('\n').filter(Boolean).length })
  return json(data.files)
}
