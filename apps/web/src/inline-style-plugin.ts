import type { Plugin } from 'vite'

const link = /<link rel="stylesheet"[^>]* href="\/(assets\/[\w.-]+\.css)"[^>]*>/

/**
 * Puts the stylesheet of the whole app into the page: it is small, and the first words are drawn without waiting for a
 * second file. The service admits it by its hash.
 */
export function inlineStyle(): Plugin {
  return {
    name: 'ergon:inline-style',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('the app has no page')
      const markup = String(page.source)
      const name = link.exec(markup)?.[1] ?? ''
      const sheet = bundle[name]
      if (sheet?.type !== 'asset') throw new Error('the page names no stylesheet of the build')
      const rules = String(sheet.source).trim()
      if (rules.includes('</')) throw new Error('a stylesheet cannot end the element it is in')
      page.source = markup.replace(link, () => `<style>${rules}</style>`)
      // Loaders of single screens ask for it by name all the same.
      sheet.source = '/* in the page */'
    },
  }
}
