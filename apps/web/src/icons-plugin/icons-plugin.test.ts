import { expect, test } from 'vitest'
import { iconNames } from '../components/icon-names.ts'
import { iconsText } from './icons-plugin.ts'

test('every icon in use is a symbol of the one file, and none of them carries a style or a script', async () => {
  const text = await iconsText()
  for (const name of iconNames) expect(text).toMatch(new RegExp(`<symbol id="${name}" viewBox="0 0 256 256"><\\w`))
  expect(text).not.toMatch(/<script|style=|href=/)
  expect(text.length).toBeLessThan(60_000)
})
