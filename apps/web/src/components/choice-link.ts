/**
 * What a link looks like that shows one of several lists under the same path. The router calls a link current by its
 * path alone unless it is told that the search counts.
 */
export const choiceLink = {
  activeOptions: { exact: true, includeSearch: true },
  className: 'chip',
} as const
