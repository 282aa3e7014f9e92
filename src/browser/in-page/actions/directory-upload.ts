/** Makes a directory field accept several files until its next event, which sets their relative paths. Returns a function that restores
 * the field. */
export function acceptSeveralFiles(input: HTMLInputElement, paths: string[]): () => void {
  const { multiple } = input
  const restore = () => {
    for (const type of ['input', 'change']) window.removeEventListener(type, restore, true)
    input.webkitdirectory = true
    input.multiple = multiple
    const files = [...(input.files ?? [])]
    files.forEach((file, index) =>
      Object.defineProperty(file, 'webkitRelativePath', { value: paths[index] ?? file.name }),
    )
  }
  for (const type of ['input', 'change']) window.addEventListener(type, restore, true)
  input.webkitdirectory = false
  input.multiple = true
  return restore
}
