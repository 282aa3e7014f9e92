export const matchMediaQueries = (queries: readonly string[]): boolean[] =>
  queries.map((query) => matchMedia(query).matches)
