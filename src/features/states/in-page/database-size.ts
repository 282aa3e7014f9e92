// How much the databases of an origin hold. What they take on the disk says little: it is compressed.

/** The size of all values, in bytes or so; at once more than `limit` once it is. */
export async function measureDatabases(limit: number): Promise<number> {
  let bytes = 0
  const sizeOf = (value: unknown): number => {
    let size = 0
    const waiting: unknown[] = [value]
    for (let one = waiting.pop(); one !== undefined && size <= limit; one = waiting.pop()) {
      size += 8
      if (typeof one === 'string') size += one.length
      else if (one instanceof Blob) size += one.size
      else if (one instanceof ArrayBuffer || ArrayBuffer.isView(one)) size += one.byteLength
      else if (typeof one === 'object' && one !== null)
        waiting.push(...(one instanceof Map ? [...one].flat() : Object.values(one)).slice(0, 10_000))
    }
    return size
  }
  const openDatabase = (name: string): Promise<IDBDatabase | undefined> =>
    new Promise((resolve) => {
      const opening = indexedDB.open(name)
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => resolve(undefined)
      opening.onblocked = () => resolve(undefined)
    })
  const measureStore = (database: IDBDatabase, name: string): Promise<void> =>
    new Promise((resolve) => {
      const reading = database.transaction(name, 'readonly').objectStore(name).openCursor()
      reading.onerror = () => resolve()
      reading.onsuccess = () => {
        const cursor = reading.result
        if (cursor) bytes += sizeOf(cursor.value)
        if (cursor && bytes <= limit) cursor.continue()
        else resolve()
      }
    })
  for (const { name } of await indexedDB.databases()) {
    const database = name === undefined ? undefined : await openDatabase(name)
    for (const store of database?.objectStoreNames ?? []) {
      if (bytes <= limit && database) await measureStore(database, store)
    }
    database?.close()
  }
  return bytes
}
