// Progressive enhancement: without this script every form and link works, too.

/** Shows a short message that screen readers announce. */
function showToast(message, link) {
  const toast = document.getElementById('toast')
  toast.replaceChildren(document.createTextNode(message))
  if (link !== undefined) {
    const anchor = document.createElement('a')
    anchor.href = link.href
    anchor.textContent = link.text
    anchor.dataset.action = 'cart.open'
    toast.append(' ', anchor)
  }
  toast.classList.add('shown')
  clearTimeout(showToast.timer)
  showToast.timer = setTimeout(() => toast.classList.remove('shown'), 6000)
}

function showCount(count) {
  const badge = document.getElementById('cart-count')
  badge.textContent = String(count)
  badge.parentElement.setAttribute(
    'aria-label',
    `Cart, ${count === 1 ? '1 piece' : `${count} pieces`}`,
  )
}

/** Adds to the cart without leaving the page. If anything is unusual, the form is sent as usual. */
async function addToCart(form) {
  const body = new URLSearchParams(new FormData(form))
  const response = await window.fetch(form.action, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body,
  })
  if (!response.ok || !response.headers.get('content-type')?.startsWith('application/json')) {
    form.submit()
    return
  }
  const { count, key } = await response.json()
  form.elements.namedItem('_key').value = key
  showCount(count)
  showToast('It is in your cart.', { href: '/cart', text: 'Open the cart' })
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.dataset.enhance !== 'cart') return
  event.preventDefault()
  if (form.dataset.busy === 'true') return
  form.dataset.busy = 'true'
  addToCart(form)
    .catch(() => showToast('The shop did not answer. Try again.'))
    .finally(() => {
      form.dataset.busy = 'false'
    })
})

// The price of the chosen variant.
document.addEventListener('change', (event) => {
  const price = event.target instanceof HTMLInputElement && event.target.dataset.price
  const shown = document.getElementById('price')
  if (price && shown !== null) shown.textContent = price
})

// What went wrong is read first.
document.querySelector('[role="alert"]')?.focus()
