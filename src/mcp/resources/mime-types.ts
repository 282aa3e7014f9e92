// What kinds of files sessions have, by the ends of their names.

const types = new Map([
  ['.png', 'image/png'],
  ['.jpeg', 'image/jpeg'],
  ['.pdf', 'application/pdf'],
  ['.zip', 'application/zip'],
  ['.json', 'application/json'],
  ['.txt', 'text/plain'],
])

/** The MIME type of a file of this name. */
export const typeOf = (name: string): string =>
  types.get(/\.\w+$/.exec(name)?.[0] ?? '') ?? 'application/octet-stream'
