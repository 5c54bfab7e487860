import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { toLocal } from './time.tsx'

/** The end of a form that filters a page: search, or leave the filters out. */
export function FilterButtons({ page }: { readonly page: '/calls' | '/decisions' | '/tools' }) {
  return (
    <div className="buttons">
      <button type="submit" className="primary">
        Search
      </button>
      <Link to={page} className="button">
        Clear
      </Link>
    </div>
  )
}

type Period = { readonly since?: string | undefined; readonly until?: string | undefined }

export function PeriodFields({ since, until }: Period): ReactNode {
  return (
    <>
      <label>
        From
        <input name="since" type="datetime-local" defaultValue={toLocal(since)} />
      </label>
      <label>
        Until
        <input name="until" type="datetime-local" defaultValue={toLocal(until)} />
      </label>
    </>
  )
}

/** What was entered in a field; undefined where it is blank. */
export function readText(form: FormData, name: string): string | undefined {
  return String(form.get(name) ?? '').trim() || undefined
}
