import type { ReactNode } from 'react'

/** A name and its value in a row of a list; several are beside each other in a `<dl>`. */
export function Detail({
  name,
  wide = false,
  children,
}: {
  readonly name: string
  readonly wide?: boolean
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className={wide ? 'col-span-2' : undefined}>
      <dt className="text-quiet">{name}</dt>
      <dd className="numbers">{children}</dd>
    </div>
  )
}
