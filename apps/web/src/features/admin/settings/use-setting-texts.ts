import type { RunConfigKey } from '@ergon/contract'
import { everyNetwork } from '@ergon/contract/facts'
import { useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { boundsOf, isDollars, isRate, type RunSetting } from './bounds.ts'
import { settingsMessages } from './messages.ts'

export type SettingTexts = {
  readonly valueText: (key: RunConfigKey, value: RunSetting['value']) => string
  readonly boundsText: (key: RunConfigKey, settings: readonly RunSetting[]) => string
}

/** Values and bounds of settings as a reader says them. */
export function useSettingTexts(): SettingTexts {
  const say = useMessages(settingsMessages)
  const format = useFormat()
  const number = (key: RunConfigKey, value: number): string =>
    isDollars(key) ? format.usd(value) : format.number(value)
  const listText = (list: string): string => (list === '' ? say('none') : list === everyNetwork ? say('every') : list)
  return {
    valueText: (key, value) =>
      typeof value === 'number'
        ? isRate(key) && value === 0
          ? say('noLimit')
          : number(key, value)
        : typeof value === 'string'
          ? listText(value)
          : say(value === true ? 'on' : 'off'),
    boundsText: (key, settings) => {
      const bounds = boundsOf(key, settings)
      if (bounds === undefined) return say('onOrOff')
      const range = say('range', { min: number(key, bounds.min), max: number(key, bounds.max) })
      return isRate(key) ? say('zeroNone', { range }) : range
    },
  }
}
