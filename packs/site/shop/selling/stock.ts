import { PRODUCTS } from '../catalog/catalog.ts'
import { Refusal } from '../refusal.ts'
import type { Shop } from '../shop.ts'
import type { Store } from '../store/open-store.ts'

/** Counts the pieces of variants that the database does not know yet. */
export function fillShelves(store: Store): void {
  store.write(() => {
    for (const { variants } of PRODUCTS)
      for (const { id, initialStock } of variants)
        store.run(
          'insert into stock (variant_id, pieces) values (?, ?) on conflict do nothing',
          id,
          initialStock,
        )
  })
}

export function readStock({ store }: Pick<Shop, 'store'>, variantId: string): number {
  return Number(store.one('select pieces from stock where variant_id = ?', variantId)?.pieces ?? 0)
}

/** Takes pieces off the shelf; within a transaction. */
export function takeStock(
  { store }: Shop,
  line: { readonly variantId: string; readonly quantity: number; readonly name: string },
): void {
  const { variantId, quantity, name } = line
  const taken = store.run(
    'update stock set pieces = pieces - ? where variant_id = ? and pieces >= ?',
    quantity,
    variantId,
    quantity,
  )
  if (taken === 0) throw outOfStock(name, readStock({ store }, variantId))
}

/** Puts pieces back; within a transaction. */
export function returnStock({ store }: Shop, variantId: string, quantity: number): void {
  store.run('update stock set pieces = pieces + ? where variant_id = ?', quantity, variantId)
}

export function outOfStock(name: string, available: number): Refusal {
  const left = available === 0 ? 'is sold out' : `is down to ${available}`
  return new Refusal('out_of_stock', `${name} ${left}. Choose a smaller quantity or another one.`)
}
