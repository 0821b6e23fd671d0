/** Of a picture of a person, as it is sent: in base64 it fits a request. */
export const pictureBytesMax = 700_000
