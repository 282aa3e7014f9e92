// MIME types of the files of sessions, by extension.

const mimeTypes = new Map([
  ['.png', 'image/png'],
  ['.jpeg', 'image/jpeg'],
  ['.pdf', 'application/pdf'],
  ['.zip', 'application/zip'],
  ['.json', 'application/json'],
  ['.har', 'application/json'],
  ['.txt', 'text/plain'],
])

/** The MIME type of a file of this name. */
export const mimeTypeOf = (name: string): string =>
  mimeTypes.get(/\.\w+$/.exec(name)?.[0] ?? '') ?? 'application/octet-stream'
