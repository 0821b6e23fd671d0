/** The origins beyond its own that a page of the service reaches. */
export type PageReach = {
  readonly baseUrl: string
  /** Hosts that stand for the service. */
  readonly authorities: readonly string[]
  /** Where evidence is uploaded to and shown from; null when that is the service. */
  readonly bucketOrigin: string | null
  readonly faucetUrl: string | null
  /** Where streets of the map come from; null when that is the service. */
  readonly tilesOrigin: string | null
  /** Hashes of the styles in the page. */
  readonly styleSources: readonly string[]
}

const closed = [
  'accelerometer',
  'ambient-light-sensor',
  'autoplay',
  'bluetooth',
  'browsing-topics',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'interest-cohort',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'web-share',
  'window-management',
  'xr-spatial-tracking',
]
// Snippets are copied, evidence is photographed and placed, a wallet is sealed by a passkey; a page of the service asks
// for nothing else, and none of it for a frame.
const permissions = [
  'camera=(self)',
  'geolocation=(self)',
  'clipboard-write=(self)',
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
  ...closed.map((feature) => `${feature}=()`),
].join(', ')

/** What every answer of the app carries. None of it is taken from the request: a hostile Host changes nothing. */
export function pageHeaders(reach: PageReach): Readonly<Record<string, string>> {
  return {
    'content-security-policy': contentSecurityPolicy(reach),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'permissions-policy': permissions,
    // Wallets open windows and report back to the page that opened them.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    ...(reach.baseUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

function contentSecurityPolicy(reach: PageReach): string {
  const { baseUrl, authorities, bucketOrigin, faucetUrl, tilesOrigin, styleSources } = reach
  const others = [
    ...(faucetUrl === null ? [] : [new URL(faucetUrl).origin]),
    ...(tilesOrigin === null ? [] : [tilesOrigin]),
  ]
  const bucket = bucketOrigin === null ? [] : [bucketOrigin]
  const scheme = baseUrl.startsWith('https:') ? 'wss' : 'ws'
  // Not every browser takes 'self' for sockets. A host is a host: anything else could end the directive.
  const sockets = authorities.filter((host) => /^[\w.:[\]-]+$/.test(host)).map((host) => `${scheme}://${host}`)
  const directives: Readonly<Record<string, readonly string[]>> = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", ...styleSources],
    'img-src': ["'self'", 'data:', 'blob:', ...bucket],
    'media-src': ["'self'", 'blob:', ...bucket],
    'connect-src': ["'self'", ...sockets, ...bucket, ...others],
    'font-src': ["'self'"],
    'worker-src': ["'self'", 'blob:'],
    'manifest-src': ["'self'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'object-src': ["'none'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ')
}
