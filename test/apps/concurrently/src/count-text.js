export const countText = (count) => `Count: ${count}`
