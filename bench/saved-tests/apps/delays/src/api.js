export async function request(method, path, body) {
  const response = await fetch(`/api${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
  const data = await response.json()
  if (!response.ok) throw new Error(data.message)
  return data
}
