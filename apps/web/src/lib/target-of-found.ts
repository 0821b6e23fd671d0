import type { LinkProps } from '@tanstack/react-router'
import { addressOf, type SavedSearch } from './saved-filter.ts'

/** One new task is shown itself, several in the list. */
export function targetOfFound(
  data: Readonly<Record<string, unknown>>,
): Pick<LinkProps, 'to' | 'params' | 'search'> | undefined {
  const { task_ids: ids, filter } = data
  if (Array.isArray(ids) && ids.length === 1) return { to: '/tasks/$taskId', params: { taskId: String(ids[0]) } }
  // The shape of the event of the contract.
  return { to: '/find', search: addressOf(filter as SavedSearch['filter']) }
}
