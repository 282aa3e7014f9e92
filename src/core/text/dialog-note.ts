/** How a dialog is reported that a page has opened. */
export const dialogNote = (type: string, message: string): string =>
  `A dialog was opened (${type}): ${message}`
