import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { iconNames } from '../components/icon-names.ts'
import { iconsUrl } from '../components/icons-url.ts'

const addressFile = fileURLToPath(new URL('../components/icons-url.ts', import.meta.url))
const require = createRequire(import.meta.url)

/** Lays the icons in use beside the app as one file, which costs no script and is asked for once (decision 0178). */
export function icons(): Plugin {
  let isBuild = true
  return {
    name: 'ergon:icons',
    config(_, { command }) {
      isBuild = command === 'build'
    },
    async load(id) {
      if (!isBuild || id !== addressFile) return undefined
      const file = this.emitFile({ type: 'asset', name: 'icons.svg', source: await iconsText() })
      return `export const iconsUrl = import.meta.ROLLUP_FILE_URL_${file}`
    },
    configureServer({ middlewares }) {
      middlewares.use(iconsUrl, (_, answer, next) => {
        iconsText().then((text) => answer.setHeader('content-type', 'image/svg+xml').end(text), next)
      })
    },
  }
}

/** The file as it is served: a symbol an icon. */
export async function iconsText(): Promise<string> {
  const symbols = await Promise.all(
    iconNames.map(async (name) => {
      const weight = /-(bold|fill)$/.exec(name)?.[1] ?? 'regular'
      const drawn = await readFile(require.resolve(`@phosphor-icons/core/assets/${weight}/${name}.svg`), 'utf8')
      const shapes = /<svg[^>]*>(.*)<\/svg>/s.exec(drawn)?.[1]
      if (shapes === undefined) throw new Error(`the icon ${name} is no drawing`)
      return `<symbol id="${name}" viewBox="0 0 256 256">${shapes}</symbol>`
    }),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`
}
