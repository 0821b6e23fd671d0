/** Whom the app may speak to beside the service it came from. */
export type WebNeighbours = { readonly baseUrl: string; readonly bucketOrigin: string | null; readonly faucetOrigin: string | null }

/**
 * What a browser is told about every file of the app: it runs its own scripts and no others, speaks to its own service,
 * stands in no frame, and lets a wallet open its window (decision 0075).
 */
export function webHeaders({ baseUrl, bucketOrigin, faucetOrigin }: WebNeighbours): Readonly<Record<string, string>> {
  const own = new URL(baseUrl)
  const socket = `${own.protocol === 'https:' ? 'wss' : 'ws'}://${own.host}`
  const list = (...sources: readonly (string | null)[]): string => sources.filter((one) => one !== null).join(' ')
  const policy = {
    'default-src': "'none'", 'script-src': "'self'", 'style-src': "'self'",
    'img-src': list("'self'", 'data:', 'blob:', bucketOrigin),
    'media-src': list("'self'", 'blob:', bucketOrigin),
    'connect-src': list("'self'", socket, bucketOrigin, faucetOrigin),
    'font-src': "'self'", 'worker-src': "'self' blob:", 'manifest-src': "'self'", 'form-action': "'self'", 'base-uri': "'none'", 'frame-ancestors': "'none'", 'object-src': "'none'",
  }
  return {
    'content-security-policy': Object.entries(policy).map(([name, sources]) => `${name} ${sources}`).join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(self), geolocation=(self), microphone=(), payment=(), usb=(), bluetooth=(), display-capture=()',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    ...(own.protocol === 'https:' ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}
