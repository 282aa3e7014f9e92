// What the thread for large documents can read.

import { pictureDifference } from '../../features/baseline/picture-difference.ts'
import { harFile } from '../../features/mock/har-file.ts'
import { testTrace } from '../../features/run-test/read-trace-file.ts'
import { sourceMap } from '../../features/sources/parse-map.ts'
import { serveDocuments } from '../base/files/open-document.ts'

export const serveAllDocuments = (): void =>
  serveDocuments([harFile, pictureDifference, sourceMap, testTrace])
