import type { Plugin } from 'vite'

/** What the first words of every screen are set in; Latin Extended waits until a text needs it. */
const first = /^(?:figtree|bricolage-grotesque)-latin-(?:wght|700)-normal[\w-]*\.woff2$/

/** Names the two fonts in the head of the page: they are on their way with the first script. */
export function fontPreloads(): Plugin {
  return {
    name: 'ergon:font-preloads',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle }) {
        const fonts = Object.keys(bundle ?? {}).filter((name) => first.test(name.slice(name.lastIndexOf('/') + 1)))
        if (fonts.length !== 2) throw new Error(`the build has other fonts than the two: ${fonts.join(', ')}`)
        return fonts.map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: '' },
          injectTo: 'head-prepend' as const,
        }))
      },
    },
  }
}
