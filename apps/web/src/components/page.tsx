import type { ReactNode } from 'react'
import { useTitle } from '../lib/use-title.ts'

type PageProps = {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
  readonly wide?: boolean
  /** What is above the title: which step this is. */
  readonly before?: ReactNode
  /** Short actions keep their place beside the title on a phone too, and the lead goes below both. */
  readonly beside?: boolean
}

/** A screen: its title in the tab and as the first heading, which takes the focus when the screen is come to. */
export function Page({ title, lead, actions, children, wide = false, before, beside = false }: PageProps): ReactNode {
  useTitle(title)
  return (
    <div
      className={`mx-auto grid w-full gap-6 px-(--gutter) pt-4 pb-10 wide:pt-8 ${wide ? 'max-w-[80rem]' : 'max-w-3xl'}`}
    >
      {before}
      <header
        className={`flex flex-wrap justify-between ${beside ? 'items-center gap-x-3 gap-y-2' : 'items-start gap-4'}`}
      >
        <div className={beside ? 'contents' : 'grid gap-2'}>
          <h1 tabIndex={-1} className="outline-none">
            {title}
          </h1>
          {lead !== undefined && (
            <p className={beside ? 'order-last w-full text-quiet' : 'max-w-prose text-quiet'}>{lead}</p>
          )}
        </div>
        {actions}
      </header>
      {children}
    </div>
  )
}
