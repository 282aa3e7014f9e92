// What the thread for large documents can read.

import { features } from '../../features/index.ts'
import { serveDocuments } from '../base/files/open-document.ts'

export const serveAllDocuments = async (): Promise<void> =>
  serveDocuments((await Promise.all(features.map(({ documents }) => documents?.() ?? []))).flat())
