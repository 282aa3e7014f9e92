/** Lets a directory field take several files until its next event, when the files get their relative paths. Returns the restore. */
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
