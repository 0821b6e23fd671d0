/** What finds this device; a page without TLS has none, nor does a browser in which it is switched off. */
export const devicePosition = (): Geolocation | undefined => (isSecureContext ? navigator.geolocation : undefined)
