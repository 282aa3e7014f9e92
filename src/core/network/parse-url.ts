/** The URL, or undefined if the text is not one. */
export const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

/** Whether the URL is that of a browser's own page about a navigation that failed. */
export const isErrorPage = (url: string): boolean => /^(chrome-error|about:neterror):?/.test(url)
