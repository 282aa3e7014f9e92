// What the thread for large documents can read.

import { pictureDifference } from '../browser/observe/picture-difference.ts'
import { testTrace } from '../devserver/test-run/read-trace-file.ts'
import { serveDocuments } from '../runtime/files/open-document.ts'
import { sourceMap } from '../runtime/sources/parse-map.ts'
import { harFile } from '../tools/define/har-file.ts'

export const serveAllDocuments = (): void =>
  serveDocuments([harFile, pictureDifference, sourceMap, testTrace])
