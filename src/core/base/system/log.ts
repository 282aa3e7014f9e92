export interface Log {
  error(text: string, fields?: Fields): void
  warn(text: string, fields?: Fields): void
  /** Leaves out a text that was written before. */
  warnOnce(text: string): void
  info(text: string, fields?: Fields): void
  debug(text: string, fields?: Fields): void
}

export type Fields = Readonly<Record<string, unknown>>
