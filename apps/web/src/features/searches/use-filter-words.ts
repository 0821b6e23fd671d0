import { categories } from '@ergon/contract'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import type { SavedSearch } from '../../lib/saved-filter.ts'
import { wordMessages } from '../../messages/words.ts'
import { searchMessages } from './messages.ts'

type Said = Partial<Pick<SavedSearch['filter'], 'q' | 'category' | 'min_bounty' | 'max_bounty' | 'box'>>

/** What a filter looks for, in a few words. */
export function useFilterWords(): (filter: Said) => string {
  const say = useMessages(searchMessages)
  const word = useMessages(wordMessages)
  const format = useFormat()
  return ({ q, category: named, min_bounty: min, max_bounty: max, box }) => {
    const category = categories.find((one) => one === named)
    const parts = [
      ...(typeof q === 'string' ? [say('words', { q })] : []),
      ...(category === undefined ? [] : [word(`category.${category}`)]),
      ...(typeof min === 'number' ? [say('from', { usd: format.usd(min) })] : []),
      ...(typeof max === 'number' ? [say('upTo', { usd: format.usd(max) })] : []),
      ...(typeof box === 'string' ? [say('inArea')] : []),
    ]
    return parts.length === 0 ? say('everything') : parts.join(' · ')
  }
}
