/**
 * What a link looks like that shows one of several lists under the same path. The router calls a link current by its
 * path alone unless it is told that the search counts.
 */
export const choiceLink = {
  activeOptions: { exact: true, includeSearch: true },
  className:
    'inline-flex min-h-9 items-center rounded-full border border-edge px-3 text-sm font-semibold [&[aria-current]]:border-brand [&[aria-current]]:bg-brand-soft [&[aria-current]]:text-brand',
} as const
