import type { ReactNode } from 'react'

type TicketProps = { readonly children: ReactNode; readonly stub: ReactNode; readonly className?: string }

/**
 * A task as a ticket: above the perforation what it is worth, below it what happens with the money. It is used only
 * where money is promised.
 */
export function Ticket({ children, stub, className = '' }: TicketProps): ReactNode {
  return (
    <div className={`ticket ${className}`}>
      <div className="ticket-top">{children}</div>
      <div className="ticket-stub">{stub}</div>
    </div>
  )
}
