/** The element that a call names: by a selector, or by a ref of a snapshot. */
export type Target = { readonly selector: string } | { readonly ref: string }
