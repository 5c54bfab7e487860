// table
/** How people ask for Stripe's operations, one operation a line. */
export const STRIPE_PHRASES = `
GET /v1/account: details of my own account; which business does this key belong to
GET /v1/accounts: list connected accounts; which sellers are connected; all vendors on our platform
GET /v1/accounts/{}: look up a connected account; is the seller verified; what does the seller still have to provide
POST /v1/accounts: create a connected account; onboard a new seller; sign up a merchant on our marketplace
POST /v1/accounts/{}: update a connected account; change a seller's details
DELETE /v1/accounts/{}: delete a connected account; remove a seller from the platform
POST /v1/accounts/{}/reject: reject a connected account; turn down a suspicious seller
POST /v1/accounts/{}/external_accounts: add a bank account for payouts; where a seller's payouts go
GET /v1/accounts/{}/external_accounts: bank accounts that a seller is paid out to
GET /v1/accounts/{}/capabilities: what may the account do; capabilities of a connected account
GET /v1/accounts/{}/persons: owners and directors of a connected account; people behind a company
POST /v1/accounts/{}/persons: add an owner or director to a company's account
POST /v1/accounts/{}/login_links: login link for a seller's dashboard; let the merchant see the Express dashboard
POST /v1/account_links: onboarding link for a seller; link to finish the sign-up of a connected account
GET /v1/application_fees: platform fees we earned; commission we collected
POST /v1/application_fees/{}/refunds: give back our platform fee; refund a commission
GET /v1/balance: how much money do we have in Stripe; current balance; available funds; pending money
GET /v1/balance_transactions: money that came in and went out; ledger of the balance; fees we paid; list balance movements
GET /v1/balance_transactions/{}: what fee was taken for this transaction; one balance movement; net amount
POST /v1/billing_portal/sessions: link to the customer portal; let a customer manage her own subscription; self-service page where customers change their card
POST /v1/billing_portal/configurations: configure the customer portal
GET /v1/billing_portal/configurations: settings of the customer portal
GET /v1/charges: list charges; recent payments; which payments failed; what did customers pay today; successful card payments
GET /v1/charges/{}: look up a charge; why was the card declined; details of a payment; receipt of a payment
GET /v1/charges/search: search charges; find a payment by amount or card digits; find the charge with these last four digits
POST /v1/charges: charge a card; take money from a customer; bill a card once
POST /v1/charges/{}: mark a charge as fraudulent; change the description of a charge; update where to send the receipt
POST /v1/charges/{}/capture: capture an authorized charge; collect the money held on a card
GET /v1/charges/{}/refunds: refunds of a charge; was this payment refunded
POST /v1/charges/{}/refund: refund a charge
POST /v1/checkout/sessions: create a checkout page; start a checkout; send a customer to a payment page; hosted payment page for the cart
GET /v1/checkout/sessions: list checkout sessions; abandoned checkouts; who started to pay
GET /v1/checkout/sessions/{}: did the customer complete the checkout; status of a checkout session
GET /v1/checkout/sessions/{}/line_items: what did the customer buy in the checkout; items of a checkout
POST /v1/checkout/sessions/{}/expire: expire a checkout session; close a checkout page; make the payment page invalid
GET /v1/country_specs/{}: which currencies and payment methods a country supports
GET /v1/country_specs: in which countries can we accept payments
POST /v1/coupons: create a discount; make a coupon; twenty percent off; new discount for Black Friday; a deal for customers
GET /v1/coupons: list coupons; which discounts exist; what deals are running
GET /v1/coupons/{}: details of a coupon; how often was the coupon used; is the coupon still valid
POST /v1/coupons/{}: rename a coupon; change a coupon's metadata
DELETE /v1/coupons/{}: delete a coupon; end a discount; stop the deal
POST /v1/credit_notes: issue a credit note; reduce an invoice after it was finalized; credit part of an invoice
GET /v1/credit_notes: list credit notes
GET /v1/credit_notes/{}: details of a credit note
POST /v1/credit_notes/{}/void: void a credit note; cancel a credit note
GET /v1/credit_notes/preview: preview a credit note before issuing it
POST /v1/customers: add a customer; create a customer; register a new client; sign up a buyer; new client record
GET /v1/customers: list customers; all clients; who are our customers; newest customers; customers with this email
GET /v1/customers/{}: look up a customer; details of a client; customer's billing address; show a customer
GET /v1/customers/search: search customers; find a customer by email or name; which client is called
POST /v1/customers/{}: update a customer; change a client's email address; customer moved, new address; set the default card; change the phone number of a customer; apply a coupon to a customer
DELETE /v1/customers/{}: delete a customer; erase a client; remove a customer for GDPR; forget a customer
GET /v1/customers/{}/balance_transactions: history of a customer's credit balance; credits given to a customer
POST /v1/customers/{}/balance_transactions: give a customer account credit; add store credit; goodwill credit on the next invoice
GET /v1/customers/{}/cash_balance: cash a customer has with us; unapplied bank transfer money
GET /v1/customers/{}/payment_methods: which cards has the customer saved; payment methods of a customer; cards on file
GET /v1/customers/{}/subscriptions: what is the customer subscribed to; subscriptions of a customer
GET /v1/customers/{}/discount: which discount does the customer have
DELETE /v1/customers/{}/discount: remove a customer's discount; take away the coupon from a customer
POST /v1/customers/{}/tax_ids: add a VAT number to a customer; store a company's tax id
GET /v1/customers/{}/tax_ids: VAT numbers of a customer; tax ids of a client
DELETE /v1/customers/{}/tax_ids/{}: remove a VAT number; delete a customer's tax id
POST /v1/customers/{}/sources: add a card to a customer; save a card on file
GET /v1/customers/{}/sources: saved cards and bank accounts of a customer
DELETE /v1/customers/{}/sources/{}: delete a saved card; remove a card from a customer
POST /v1/customers/{}/sources/{}/verify: verify a bank account with two small deposits
POST /v1/customers/{}/bank_accounts/{}/verify: verify a customer's bank account
POST /v1/customers/{}/funding_instructions: bank details to which a customer transfers money; virtual bank account for bank transfers
GET /v1/disputes: list disputes; chargebacks; which payments are contested; customers who complained to their bank
GET /v1/disputes/{}: details of a dispute; why did the customer dispute; deadline to answer a chargeback
POST /v1/disputes/{}: submit evidence for a dispute; fight a chargeback; contest the dispute; answer a chargeback with proof
POST /v1/disputes/{}/close: accept a dispute; give up on a chargeback; concede the dispute as lost
GET /v1/events: list events; what happened in our account; recent activity; webhook events of today
GET /v1/events/{}: details of an event; payload of a webhook event
GET /v1/exchange_rates: exchange rates; currency conversion rates
GET /v1/exchange_rates/{}: exchange rate of a currency; what is a euro worth
GET /v1/files: list uploaded files
POST /v1/file_links: create a link to a file; share an uploaded file publicly
GET /v1/file_links: links to files
POST /v1/identity/verification_sessions: verify someone's identity; ask a customer for an ID document; check a passport and selfie
GET /v1/identity/verification_sessions: list identity checks; who was verified
GET /v1/identity/verification_sessions/{}: did the person pass the identity check; status of a verification
POST /v1/identity/verification_sessions/{}/cancel: cancel an identity check
POST /v1/identity/verification_sessions/{}/redact: erase the data of an identity check
GET /v1/identity/verification_reports: results of identity checks
POST /v1/invoiceitems: add an item to an invoice; put an extra charge on the next bill; one-off fee on the next invoice; bill extra hours
GET /v1/invoiceitems: pending items that will be billed; invoice items
POST /v1/invoiceitems/{}: change an item of an invoice; correct the amount of a line
DELETE /v1/invoiceitems/{}: remove an item from an invoice; take a line off the bill
POST /v1/invoices: create an invoice; draft a bill; write an invoice for a client; bill a customer
GET /v1/invoices: list invoices; unpaid invoices; overdue bills; which bills are open; invoices of a customer; who has not paid yet
GET /v1/invoices/{}: look up an invoice; was the invoice paid; PDF of an invoice; status of a bill
GET /v1/invoices/search: search invoices; find an invoice by number or amount
GET /v1/invoices/upcoming: next invoice of a customer; what will be billed next month; preview the upcoming bill; how much will the plan change cost
GET /v1/invoices/{}/lines: lines of an invoice; what is on the bill
POST /v1/invoices/{}: change an invoice draft; extend the due date; give more time to pay; add a note to an invoice
DELETE /v1/invoices/{}: delete a draft invoice; throw away a bill that was not sent
POST /v1/invoices/{}/finalize: finalize an invoice; make the draft final; issue the invoice
POST /v1/invoices/{}/send: email an invoice; send the bill to the customer; send a payment reminder; mail the invoice again
POST /v1/invoices/{}/pay: pay an invoice now; try the payment again; collect an open invoice; retry a failed invoice; mark an invoice as paid outside of Stripe
POST /v1/invoices/{}/void: void an invoice; cancel a bill sent by mistake; annul an invoice
POST /v1/invoices/{}/mark_uncollectible: write off an invoice; bad debt; the customer will never pay; mark a bill as uncollectible
POST /v1/payment_intents: create a payment; charge a customer; take a payment; collect money; hold an amount on a card; authorize without capturing; start a payment of 50 euros
GET /v1/payment_intents: list payments; recent payments; which payments are incomplete; payments of a customer
GET /v1/payment_intents/{}: did the payment go through; status of a payment; look up a payment; why did the payment fail
GET /v1/payment_intents/search: search payments; find a payment by order number
POST /v1/payment_intents/{}: change the amount of a payment before it is confirmed; update a payment
POST /v1/payment_intents/{}/cancel: cancel a payment; release the hold on a card; abandon a payment that is not captured
POST /v1/payment_intents/{}/capture: capture a payment; collect the authorized amount; take the money that was held
POST /v1/payment_intents/{}/confirm: confirm a payment; submit a payment
POST /v1/payment_intents/{}/increment_authorization: raise the amount held on a card; increase an authorization
POST /v1/payment_intents/{}/verify_microdeposits: verify micro-deposits of a payment
POST /v1/payment_links: create a payment link; link people can pay with; shareable link to buy a product; a URL to collect money without a website
GET /v1/payment_links: list payment links; which pay links do we have
GET /v1/payment_links/{}: details of a payment link
POST /v1/payment_links/{}: deactivate a payment link; turn off a pay link; change a payment link
GET /v1/payment_links/{}/line_items: products of a payment link
POST /v1/payment_methods: create a payment method; register a card or bank account
GET /v1/payment_methods: list payment methods
GET /v1/payment_methods/{}: look up a card; when does the card expire; brand of a card
POST /v1/payment_methods/{}: update the expiry date of a card; change the billing address of a card
POST /v1/payment_methods/{}/attach: save a card for a customer; attach a payment method; add a new card to a customer's account
POST /v1/payment_methods/{}/detach: remove a customer's card; forget a saved card; detach a payment method; delete the card on file
POST /v1/payouts: pay out to our bank account; send our money to the bank; withdraw the balance; cash out
GET /v1/payouts: list payouts; when does the money reach our bank; transfers to our bank account; last withdrawals; failed payouts
GET /v1/payouts/{}: status of a payout; when will the payout arrive; why did the payout fail
POST /v1/payouts/{}: update a payout's metadata
POST /v1/payouts/{}/cancel: cancel a payout; stop the withdrawal
POST /v1/payouts/{}/reverse: reverse a payout; get a payout back
GET /v1/plans: list plans; which plans do we offer
POST /v1/plans: create a plan; new monthly plan
DELETE /v1/plans/{}: delete a plan
POST /v1/prices: create a price; set a new price for a product; monthly price; a yearly tier; charge 20 dollars a month for it; price in another currency
GET /v1/prices: list prices; what do our products cost; price list; all tiers
GET /v1/prices/{}: what does it cost; look up a price
GET /v1/prices/search: search prices
POST /v1/prices/{}: deactivate a price; archive a price; rename a price; stop selling at the old price
POST /v1/products: add a product; create something to sell; new item in the catalogue; add a service we offer
GET /v1/products: list products; what do we sell; catalogue; all items
GET /v1/products/{}: look up a product; details of an item
GET /v1/products/search: search products; find a product by name
POST /v1/products/{}: rename a product; archive a product; change a product's description or picture; take a product off sale
DELETE /v1/products/{}: delete a product; remove an item from the catalogue
POST /v1/promotion_codes: create a promo code; voucher code customers can type in; discount code; a code for newsletter readers
GET /v1/promotion_codes: list promo codes; which voucher codes exist; is this promo code valid
GET /v1/promotion_codes/{}: details of a promo code; how often was a voucher redeemed
POST /v1/promotion_codes/{}: deactivate a promo code; switch off a voucher; a leaked discount code should stop working
POST /v1/quotes: create a quote; make an offer to a client; price estimate; proposal for a customer
GET /v1/quotes: list quotes; offers we made; open estimates
GET /v1/quotes/{}: details of a quote; was the offer accepted
POST /v1/quotes/{}: change a quote; update an offer
POST /v1/quotes/{}/accept: accept a quote; the client takes the offer
POST /v1/quotes/{}/cancel: cancel a quote; withdraw an offer
POST /v1/quotes/{}/finalize: finalize a quote; make an offer official
GET /v1/quotes/{}/pdf: download a quote as PDF; PDF of the offer
GET /v1/quotes/{}/line_items: lines of a quote
GET /v1/radar/early_fraud_warnings: early fraud warnings; payments that the bank thinks are fraud
POST /v1/radar/value_lists: create a block list; new list of blocked emails
GET /v1/radar/value_lists: fraud lists; which block lists exist
POST /v1/radar/value_list_items: block an email address; add a card to the block list; blacklist a fraudster
GET /v1/radar/value_list_items: what is on the block list; blocked cards and emails
DELETE /v1/radar/value_list_items/{}: take an email off the block list; unblock a customer's card
POST /v1/refunds: refund a payment; give the customer the money back; reimburse; return half the money; partial refund; pay back a buyer; undo a payment
GET /v1/refunds: list refunds; what did we pay back; money returned to customers
GET /v1/refunds/{}: status of a refund; did the customer get the money back; where is the refund
POST /v1/refunds/{}: update a refund's metadata
POST /v1/refunds/{}/cancel: cancel a refund; stop paying the money back
POST /v1/reporting/report_runs: run a financial report; generate a report of the month; export the numbers for accounting
GET /v1/reporting/report_runs: list report runs; reports we generated
GET /v1/reporting/report_runs/{}: is the report ready; result of a report
GET /v1/reporting/report_types: which reports can be run; kinds of financial reports
GET /v1/reviews: payments to review; suspicious payments waiting for a decision; flagged for manual review
GET /v1/reviews/{}: details of a flagged payment
POST /v1/reviews/{}/approve: approve a payment under review; the flagged payment is fine; clear a suspicious payment
POST /v1/setup_intents: save a card for later without charging; set up a card for future payments
GET /v1/setup_intents: list attempts to save cards; setup intents
GET /v1/setup_intents/{}: was the card saved; status of a setup
POST /v1/setup_intents/{}/confirm: confirm saving a card
POST /v1/setup_intents/{}/cancel: cancel saving a card
POST /v1/shipping_rates: create a shipping rate; new delivery price; express shipping for ten dollars; free delivery option
GET /v1/shipping_rates: list shipping rates; what does delivery cost; delivery options
GET /v1/shipping_rates/{}: details of a shipping rate
POST /v1/shipping_rates/{}: deactivate a shipping rate; archive a delivery option
POST /v1/subscriptions: subscribe a customer; start a subscription; put a client on a plan; sign a customer up for a monthly plan; start a free trial
GET /v1/subscriptions: list subscriptions; active subscribers; who is on trial; which memberships were cancelled; past due subscriptions; how many subscribers
GET /v1/subscriptions/{}: look up a subscription; when does the subscription renew; when does the trial end; which plan is she on
GET /v1/subscriptions/search: search subscriptions; find subscriptions by status
POST /v1/subscriptions/{}: upgrade a subscription; switch a customer to another plan; downgrade; change the number of seats; extend the trial; pause collection; cancel at the end of the period; change the billing date; move to the yearly plan; add a coupon to a subscription
DELETE /v1/subscriptions/{}: cancel a subscription; end a membership right away; stop billing a customer every month; unsubscribe a customer; terminate a plan
DELETE /v1/subscriptions/{}/discount: remove the discount of a subscription; end the coupon on a subscription
POST /v1/subscriptions/{}/resume: resume a paused subscription; continue a membership; unpause a subscription
GET /v1/subscription_items: items of a subscription; products in a subscription
POST /v1/subscription_items: add a product to a subscription; add-on for a subscription
POST /v1/subscription_items/{}: change the quantity of a subscription item; more seats
DELETE /v1/subscription_items/{}: remove a product from a subscription; drop an add-on
POST /v1/subscription_items/{}/usage_records: report usage; record metered usage; bill API calls a customer used
GET /v1/subscription_items/{}/usage_record_summaries: how much did the customer use; usage of a metered plan
POST /v1/subscription_schedules: schedule a plan change; start a subscription on a future date; price change planned for January
GET /v1/subscription_schedules: planned subscription changes
POST /v1/subscription_schedules/{}: change a planned subscription change
POST /v1/subscription_schedules/{}/cancel: cancel a subscription schedule
POST /v1/subscription_schedules/{}/release: release a subscription from its schedule
POST /v1/tax/calculations: calculate sales tax; how much VAT is due on this cart
GET /v1/tax_codes: product tax codes
POST /v1/tax_rates: create a tax rate; add VAT of 19 percent; new sales tax
GET /v1/tax_rates: list tax rates; which VAT rates do we use
GET /v1/tax_rates/{}: details of a tax rate
POST /v1/tax_rates/{}: archive a tax rate; deactivate an old VAT rate
POST /v1/terminal/readers: register a card reader; connect a new terminal in the shop
GET /v1/terminal/readers: list card readers; which terminals are online
GET /v1/terminal/readers/{}: is the card reader online; status of a terminal
POST /v1/terminal/readers/{}: rename a card reader
DELETE /v1/terminal/readers/{}: remove a card reader; delete a broken terminal
POST /v1/terminal/readers/{}/process_payment_intent: take a payment on the card reader; charge in person at the terminal
POST /v1/terminal/readers/{}/cancel_action: cancel what the card reader is doing
POST /v1/terminal/readers/{}/refund_payment: refund at the card reader
POST /v1/terminal/readers/{}/set_reader_display: show the cart on the card reader's screen
POST /v1/terminal/locations: add a shop location for card readers; new store
GET /v1/terminal/locations: list store locations; where are our terminals
POST /v1/terminal/locations/{}: change the address of a store
DELETE /v1/terminal/locations/{}: delete a store location
POST /v1/terminal/connection_tokens: connection token for a card reader
POST /v1/tokens: tokenize a card; create a card token
POST /v1/topups: top up the balance; add money to our Stripe balance from the bank
GET /v1/topups: list top-ups; money we added
POST /v1/topups/{}/cancel: cancel a top-up
POST /v1/transfers: send money to a connected account; pay a seller their share; transfer funds to a vendor
GET /v1/transfers: list transfers to sellers; what did we pay our vendors
GET /v1/transfers/{}: details of a transfer; was the seller paid
POST /v1/transfers/{}/reversals: take back a transfer; reverse what we sent to a seller
POST /v1/webhook_endpoints: add a webhook; send events to our server; notify a URL when a payment succeeds; register an endpoint
GET /v1/webhook_endpoints: list webhooks; which URLs receive events
GET /v1/webhook_endpoints/{}: details of a webhook; is the webhook enabled
POST /v1/webhook_endpoints/{}: change a webhook's URL; disable a webhook; listen to more events
DELETE /v1/webhook_endpoints/{}: delete a webhook; stop sending events to a server
POST /v1/issuing/cards: issue a card to an employee; create a virtual card; order a company card
GET /v1/issuing/cards: list company cards; cards we issued
GET /v1/issuing/cards/{}: details of an issued card; spending limit of a company card
POST /v1/issuing/cards/{}: freeze a company card; block a lost employee card; change a spending limit; unfreeze a card
POST /v1/issuing/cardholders: add a cardholder; register an employee who gets a card
GET /v1/issuing/cardholders: list cardholders; who has a company card
POST /v1/issuing/cardholders/{}: update a cardholder; change an employee's card address
GET /v1/issuing/transactions: what did employees buy with company cards; card spending
GET /v1/issuing/authorizations: purchases with company cards that were approved or declined
POST /v1/issuing/authorizations/{}/approve: approve a card purchase
POST /v1/issuing/authorizations/{}/decline: decline a card purchase
POST /v1/issuing/disputes: dispute a purchase made with a company card
GET /v1/issuing/disputes: disputes about company card purchases
POST /v1/treasury/financial_accounts: open a financial account; new treasury account
GET /v1/treasury/financial_accounts: list financial accounts
POST /v1/treasury/outbound_payments: send money from a financial account to someone else
POST /v1/treasury/outbound_transfers: move money from a financial account to our own bank
POST /v1/treasury/inbound_transfers: pull money into a financial account
GET /v1/treasury/transactions: transactions of a financial account
`
