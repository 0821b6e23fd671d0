type MediaType = { readonly type: string; readonly shrinks: boolean }

const text = (type: string): MediaType => ({ type: `${type}; charset=utf-8`, shrinks: true })
const packed = (type: string): MediaType => ({ type, shrinks: false })

const mediaTypes: ReadonlyMap<string, MediaType> = new Map(
  Object.entries({
    html: text('text/html'),
    js: text('text/javascript'),
    mjs: text('text/javascript'),
    css: text('text/css'),
    json: text('application/json'),
    map: text('application/json'),
    webmanifest: text('application/manifest+json'),
    svg: text('image/svg+xml'),
    txt: text('text/plain'),
    xml: text('application/xml'),
    wasm: { type: 'application/wasm', shrinks: true },
    ico: { type: 'image/x-icon', shrinks: true },
    png: packed('image/png'),
    jpg: packed('image/jpeg'),
    jpeg: packed('image/jpeg'),
    webp: packed('image/webp'),
    avif: packed('image/avif'),
    gif: packed('image/gif'),
    woff2: packed('font/woff2'),
    woff: packed('font/woff'),
  }),
)

/**
 * The type a file name promises, and whether compressing such files gains anything; bytes of unknown kind are only
 * saved.
 */
export function mediaTypeOf(name: string): MediaType {
  return mediaTypes.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? packed('application/octet-stream')
}
