/** Where a picture of a person is, by its name: on every address this service is reached at. */
export const picturePath = (name: string): string => `/pictures/${name}.jpg`
