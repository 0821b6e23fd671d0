import type { ReactNode } from 'react'

/** The ticket with its two notches, in the colours of the theme. */
export function Logo({ size = 30 }: { readonly size?: number }): ReactNode {
  return (
    <svg aria-hidden="true" viewBox="0 0 30 30" width={size} height={size} className="flex-none">
      <path
        d="M4 0h22a4 4 0 0 1 4 4v7.500a3.500 3.500 0 0 0 0 7V26a4 4 0 0 1-4 4H4a4 4 0 0 1-4-4v-7.500a3.500 3.500 0 0 0 0-7V4a4 4 0 0 1 4-4z"
        className="fill-brand"
      />
      <path
        d="M10 8h10.500M10 15h7M10 22h10.500M10 8v14"
        className="stroke-on-brand"
        strokeWidth="3"
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
