export const title: string = 'First title'
