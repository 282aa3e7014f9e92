// The packages that an audit sends to a page are imported as their text.

declare module 'axe-core/axe.min.js' {
  const text: string
  export { text as default }
}

declare module 'web-vitals/attribution' {
  const text: string
  export { text as default }
}
