// What kinds of files sessions have, by the ends of their names.

const mimeTypes = new Map([
  ['.png', 'image/png'],
  ['.jpeg', 'image/jpeg'],
  ['.pdf', 'application/pdf'],
  ['.zip', 'application/zip'],
  ['.json', 'application/json'],
  ['.txt', 'text/plain'],
])

/** The MIME type of a file of this name. */
export const mimeTypeOf = (name: string): string =>
  mimeTypes.get(/\.\w+$/.exec(name)?.[0] ?? '') ?? 'application/octet-stream'
