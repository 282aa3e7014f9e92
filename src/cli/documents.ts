// What the thread for large documents can read.

import { pictureDifference } from '../browser/comparison/picture-difference.ts'
import { testTrace } from '../devserver/test-run/read-trace-file.ts'
import { serveDocuments } from '../runtime/documents/serve-documents.ts'
import { sourceMap } from '../runtime/sources/parse-map.ts'
import { harFile } from '../tools/mock/har-file.ts'

export const serveAllDocuments = (): void =>
  serveDocuments([harFile, pictureDifference, sourceMap, testTrace])
