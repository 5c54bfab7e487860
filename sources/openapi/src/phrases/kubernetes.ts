// table
/** How people ask for Kubernetes' operations, one operation a line. */
export const KUBERNETES_PHRASES = `
connectCoreV1PostNamespacedPodExec: run a command in a container; open a shell in a pod; log into a container; execute something inside a pod; ssh into the pod
connectCoreV1GetNamespacedPodExec: run a command in a container; open a shell in a pod; get a terminal inside the container
connectCoreV1PostNamespacedPodPortforward: forward a port of a pod to my machine; reach the database pod locally; tunnel to a pod
connectCoreV1GetNamespacedPodPortforward: forward a port of a pod to my laptop; port forwarding; local tunnel to a container
connectCoreV1PostNamespacedPodAttach: attach to a running container; connect to the console of a process in a pod
connectCoreV1GetNamespacedPodAttach: attach to a running container
readCoreV1NamespacedPodLog: logs of a pod; what did the container print; output of the app; see why the pod crashes; tail the log; console output of a container; error messages of a service
listCoreV1NamespacedPod: list pods; which pods are running; what is running in the namespace; pods that crash; which containers restart; pods stuck in pending; are all pods up
listCoreV1PodForAllNamespaces: pods across the whole cluster; everything that is running in all namespaces; pods in every namespace; which pods run on a node
readCoreV1NamespacedPod: details of a pod; why is the pod pending; on which node does the pod run; which image does the pod use; how often has the pod restarted; IP of a pod; describe a pod
readCoreV1NamespacedPodStatus: status of a pod; is the pod ready
createCoreV1NamespacedPod: start a pod; run a single container; launch a debug pod; create a pod
deleteCoreV1NamespacedPod: delete a pod; kill a pod; restart a stuck pod; remove a hanging container; bounce a pod; get rid of a crashed pod
deleteCoreV1CollectionNamespacedPod: delete all pods of a namespace; remove every pod with a label; clean up evicted pods
patchCoreV1NamespacedPod: change a pod; add a label to a pod; annotate a pod
createCoreV1NamespacedPodEviction: evict a pod; move a pod off its node gracefully; drain a pod from the node
patchCoreV1NamespacedPodEphemeralcontainers: add a debug container to a running pod; debug a pod with an ephemeral container
listAppsV1NamespacedDeployment: list deployments; which apps are deployed; what applications run here; deployments in a namespace
listAppsV1DeploymentForAllNamespaces: deployments across all namespaces; every app in the cluster
readAppsV1NamespacedDeployment: details of a deployment; which version is deployed; what image does the app run; how many replicas does it have; is the rollout finished; describe a deployment
readAppsV1NamespacedDeploymentStatus: status of a rollout; is the deployment finished; how many replicas are ready
createAppsV1NamespacedDeployment: deploy an app; roll out a new application; create a deployment; run the container with three replicas; launch a service in the cluster
patchAppsV1NamespacedDeployment: update the image of a deployment; roll out a new version; restart a deployment; rolling restart; change an environment variable; set memory limits; pause a rollout; roll back to the previous version; bump the image tag; redeploy the app
replaceAppsV1NamespacedDeployment: replace a deployment; apply a new deployment manifest; update the deployment with this file; overwrite the deployment
deleteAppsV1NamespacedDeployment: delete a deployment; take down an app; remove an application from the cluster; undeploy; tear down the service
patchAppsV1NamespacedDeploymentScale: scale a deployment; run five replicas; more instances of the app; scale down to zero; add replicas; reduce the number of copies; stop the app by scaling to zero
replaceAppsV1NamespacedDeploymentScale: scale a deployment; set the replica count; number of instances
readAppsV1NamespacedDeploymentScale: how many replicas does the deployment have; current scale of an app; number of instances running
listAppsV1NamespacedStatefulSet: list stateful sets; which databases run in the cluster
readAppsV1NamespacedStatefulSet: details of a stateful set; describe the database
createAppsV1NamespacedStatefulSet: create a stateful set; deploy a database with storage
patchAppsV1NamespacedStatefulSet: update a stateful set; restart the database stateful set; new image for a stateful set
deleteAppsV1NamespacedStatefulSet: delete a stateful set; remove the database from the cluster
patchAppsV1NamespacedStatefulSetScale: scale a stateful set; more replicas of the database; add a member to the stateful set
readAppsV1NamespacedStatefulSetScale: how many replicas does the stateful set have
listAppsV1NamespacedDaemonSet: list daemon sets; what runs on every node; agents on all machines
readAppsV1NamespacedDaemonSet: details of a daemon set; is the agent running on every node
createAppsV1NamespacedDaemonSet: run something on every node; install a log collector on all machines; create a daemon set
patchAppsV1NamespacedDaemonSet: update a daemon set; restart the agents on all nodes; new image for the log collector
deleteAppsV1NamespacedDaemonSet: delete a daemon set; remove the agent from all nodes
listAppsV1NamespacedReplicaSet: list replica sets; older revisions of a deployment
readAppsV1NamespacedReplicaSet: details of a replica set
deleteAppsV1NamespacedReplicaSet: delete an old replica set
patchAppsV1NamespacedReplicaSetScale: scale a replica set
listAppsV1NamespacedControllerRevision: revision history; controller revisions
listBatchV1NamespacedJob: list jobs; which batch jobs ran; did the migration job finish; failed jobs; finished jobs
listBatchV1JobForAllNamespaces: jobs in all namespaces; every batch job in the cluster
readBatchV1NamespacedJob: did the job succeed; details of a job; status of a batch job; is the job done
createBatchV1NamespacedJob: run a job; start a one-off task; run the database migration; start a batch job; trigger a cron job now
patchBatchV1NamespacedJob: suspend a job; change a job
deleteBatchV1NamespacedJob: delete a job; stop a batch job; clean up a finished job; abort a running job
listBatchV1NamespacedCronJob: list cron jobs; scheduled tasks; what runs every night; which periodic jobs exist
listBatchV1CronJobForAllNamespaces: cron jobs in all namespaces; every scheduled task in the cluster
readBatchV1NamespacedCronJob: when does the cron job run; schedule of the backup; details of a scheduled job; when did the nightly job last run
createBatchV1NamespacedCronJob: run something every night; schedule a nightly backup; create a cron job; a recurring task every hour
patchBatchV1NamespacedCronJob: suspend a cron job; change the schedule of a job; pause the nightly job; run the backup at another time; resume a scheduled job
replaceBatchV1NamespacedCronJob: replace a cron job; new definition of a scheduled task
deleteBatchV1NamespacedCronJob: delete a cron job; stop the nightly task for good; remove a scheduled job
listCoreV1NamespacedService: list services; which services are exposed; internal endpoints; load balancers in the namespace
listCoreV1ServiceForAllNamespaces: services in all namespaces; every load balancer in the cluster
readCoreV1NamespacedService: IP and port of a service; details of a service; which port does the service listen on; external address of a load balancer; cluster IP
createCoreV1NamespacedService: expose a deployment; create a service; make the app reachable inside the cluster; load balancer for the app; open a port to the app
patchCoreV1NamespacedService: change the port of a service; switch a service to a load balancer; point the service at other pods; update a selector; switch traffic from blue to green
replaceCoreV1NamespacedService: replace a service
deleteCoreV1NamespacedService: delete a service; stop exposing an app; remove the load balancer
listCoreV1NamespacedEndpoints: which pods are behind a service; endpoints; backends of a service
readCoreV1NamespacedEndpoints: endpoints of a service; addresses behind a service; which pods does the service send traffic to
listDiscoveryV1NamespacedEndpointSlice: endpoint slices; addresses behind a service
listNetworkingV1NamespacedIngress: list ingresses; which hostnames are routed; public URLs of our apps; domains that point to the cluster
listNetworkingV1IngressForAllNamespaces: ingresses in all namespaces; all domains of the cluster
readNetworkingV1NamespacedIngress: which host does the ingress route; details of an ingress; where does a domain go
createNetworkingV1NamespacedIngress: make the app reachable from the internet; route a domain to a service; create an ingress; publish under a hostname; HTTPS for the app
patchNetworkingV1NamespacedIngress: change the hostname of an ingress; add a path to the ingress; add TLS to an ingress; route another domain
replaceNetworkingV1NamespacedIngress: replace an ingress
deleteNetworkingV1NamespacedIngress: delete an ingress; take the site off the internet; stop routing a domain
listNetworkingV1IngressClass: ingress controllers; ingress classes
listNetworkingV1NamespacedNetworkPolicy: list network policies; which traffic is allowed; firewall rules between pods
readNetworkingV1NamespacedNetworkPolicy: details of a network policy; what does the firewall rule allow
createNetworkingV1NamespacedNetworkPolicy: block traffic between pods; isolate a namespace; allow only the backend to reach the database; create a network policy; firewall rule
patchNetworkingV1NamespacedNetworkPolicy: change a network policy; allow another port between pods
deleteNetworkingV1NamespacedNetworkPolicy: delete a network policy; allow the traffic again; lift the isolation
listCoreV1NamespacedConfigMap: list config maps; which configuration is stored; settings in a namespace
readCoreV1NamespacedConfigMap: read a config map; what settings does the app have; show the configuration; value of a setting
createCoreV1NamespacedConfigMap: create a config map; store settings for an app; new configuration file; keep configuration in the cluster
patchCoreV1NamespacedConfigMap: change a setting; update a config map; switch the log level to debug; edit configuration; flip a feature flag
replaceCoreV1NamespacedConfigMap: replace a config map; overwrite configuration
deleteCoreV1NamespacedConfigMap: delete a config map; remove unused configuration
listCoreV1NamespacedSecret: list secrets; which credentials are stored; names of stored passwords; certificates in the namespace
listCoreV1SecretForAllNamespaces: secrets in all namespaces
readCoreV1NamespacedSecret: read a secret; what is the database password; show a stored credential; get a certificate
createCoreV1NamespacedSecret: store a password; create a secret; save an API key in the cluster; add a TLS certificate; registry credentials; store credentials for the database
patchCoreV1NamespacedSecret: change a password; rotate a secret; update a stored API key; renew the certificate
replaceCoreV1NamespacedSecret: replace a secret; rotate credentials
deleteCoreV1NamespacedSecret: delete a secret; remove a stored password; delete old credentials
listCoreV1Namespace: list namespaces; which environments exist in the cluster; what teams have a namespace; show all namespaces
readCoreV1Namespace: details of a namespace; why is the namespace stuck terminating; labels of a namespace
createCoreV1Namespace: create a namespace; new environment for a team; set up a staging area; separate space for the project
patchCoreV1Namespace: label a namespace; annotate a namespace
deleteCoreV1Namespace: delete a namespace; remove an environment with everything in it; tear down staging; wipe a team's namespace
listCoreV1Node: list nodes; which machines are in the cluster; are all nodes healthy; how many servers do we have; nodes that are not ready; worker machines
readCoreV1Node: details of a node; how much memory does a node have; is the node ready; why is the machine not ready; capacity of a server; kubelet version of a node
readCoreV1NodeStatus: status of a node; conditions of a machine; disk pressure
patchCoreV1Node: cordon a node; mark a node unschedulable; no new pods on this machine; taint a node; label a node; uncordon; allow scheduling again; take a machine out for maintenance
deleteCoreV1Node: remove a node from the cluster; delete a broken machine; decommission a server
createCoreV1Node: add a node; register a machine in the cluster
listCoreV1NamespacedEvent: events of a namespace; what happened in the cluster recently; warnings; why doesn't it start; recent problems; what went wrong with my pod
listCoreV1EventForAllNamespaces: events of the whole cluster; what is going on in all namespaces; warnings everywhere
listEventsV1NamespacedEvent: events of a namespace; recent warnings
listEventsV1EventForAllNamespaces: events of the whole cluster
listCoreV1NamespacedPersistentVolumeClaim: list volume claims; which disks are requested; storage of our apps; unbound claims
listCoreV1PersistentVolumeClaimForAllNamespaces: volume claims in all namespaces; all requested storage
readCoreV1NamespacedPersistentVolumeClaim: how big is the disk; is the volume claim bound; details of a claim; how much storage was requested
createCoreV1NamespacedPersistentVolumeClaim: request a disk; ten gigabytes of storage for the database; create a volume claim; get persistent storage
patchCoreV1NamespacedPersistentVolumeClaim: make a disk bigger; expand a volume; resize storage; more space for the database
deleteCoreV1NamespacedPersistentVolumeClaim: delete a volume claim; free the disk; throw away the storage
listCoreV1PersistentVolume: list volumes; all disks of the cluster; which volumes are free; available persistent volumes
readCoreV1PersistentVolume: details of a volume; which claim uses the disk; reclaim policy of a disk
createCoreV1PersistentVolume: create a persistent volume; add a disk to the cluster; register an NFS share
patchCoreV1PersistentVolume: keep a volume when its claim is deleted; change the reclaim policy
deleteCoreV1PersistentVolume: delete a persistent volume; remove a disk
listStorageV1StorageClass: list storage classes; what kinds of disks can I use; which storage is the default
readStorageV1StorageClass: details of a storage class
createStorageV1StorageClass: create a storage class; new kind of disk, fast SSD storage
patchStorageV1StorageClass: make a storage class the default
deleteStorageV1StorageClass: delete a storage class
listStorageV1VolumeAttachment: which volumes are attached to which nodes; volume attachments
listStorageV1CSIDriver: installed storage drivers
listCoreV1NamespacedServiceAccount: list service accounts; robot accounts in a namespace
readCoreV1NamespacedServiceAccount: details of a service account
createCoreV1NamespacedServiceAccount: create a service account; an identity for an app; robot account for the pipeline
patchCoreV1NamespacedServiceAccount: add an image pull secret to a service account
deleteCoreV1NamespacedServiceAccount: delete a service account; remove a robot account
createCoreV1NamespacedServiceAccountToken: token for a service account; short-lived credentials for the pipeline; issue a token for the bot
listRbacAuthorizationV1NamespacedRole: list roles; which roles exist in a namespace
readRbacAuthorizationV1NamespacedRole: what may a role do; permissions of a role
createRbacAuthorizationV1NamespacedRole: create a role; a role that may only read pods; define permissions in a namespace
patchRbacAuthorizationV1NamespacedRole: change what a role may do; add a permission to a role
deleteRbacAuthorizationV1NamespacedRole: delete a role
listRbacAuthorizationV1NamespacedRoleBinding: who has access to the namespace; list role bindings; who has which role
readRbacAuthorizationV1NamespacedRoleBinding: who is bound to a role; details of a role binding
createRbacAuthorizationV1NamespacedRoleBinding: give someone access to a namespace; grant a role to a user; let a developer see the pods; give the service account permission; bind a role
patchRbacAuthorizationV1NamespacedRoleBinding: add a person to a role binding; change who has a role
deleteRbacAuthorizationV1NamespacedRoleBinding: revoke someone's access to a namespace; take a role away; remove permissions of a user
listRbacAuthorizationV1ClusterRole: list cluster roles; cluster-wide roles
readRbacAuthorizationV1ClusterRole: what may a cluster role do; permissions of a cluster-wide role
createRbacAuthorizationV1ClusterRole: create a cluster role; permissions across the whole cluster
patchRbacAuthorizationV1ClusterRole: change a cluster role
deleteRbacAuthorizationV1ClusterRole: delete a cluster role
listRbacAuthorizationV1ClusterRoleBinding: who is a cluster admin; who has access to the whole cluster; list cluster role bindings
readRbacAuthorizationV1ClusterRoleBinding: who is bound to a cluster role
createRbacAuthorizationV1ClusterRoleBinding: make someone a cluster admin; give access to the whole cluster; grant a cluster-wide role
deleteRbacAuthorizationV1ClusterRoleBinding: take cluster admin rights away; revoke access to the cluster
createAuthorizationV1SelfSubjectAccessReview: am I allowed to delete pods; may I do this; check my own permissions; can I create deployments
createAuthorizationV1SelfSubjectRulesReview: what am I allowed to do in this namespace; list my permissions
createAuthorizationV1SubjectAccessReview: is a user allowed to do something; can the service account read secrets; check somebody's permissions
createAuthorizationV1NamespacedLocalSubjectAccessReview: is a user allowed to do something in one namespace
createAuthenticationV1TokenReview: is a token valid; to whom does this token belong; check a bearer token
listAutoscalingV2NamespacedHorizontalPodAutoscaler: list autoscalers; which apps scale automatically
listAutoscalingV1NamespacedHorizontalPodAutoscaler: list autoscalers; which apps scale automatically
readAutoscalingV2NamespacedHorizontalPodAutoscaler: details of an autoscaler; between how many replicas does the app scale; is autoscaling at its limit
readAutoscalingV1NamespacedHorizontalPodAutoscaler: details of an autoscaler
createAutoscalingV2NamespacedHorizontalPodAutoscaler: scale automatically with load; autoscale the app by CPU; add replicas when the CPU is busy; create an autoscaler
createAutoscalingV1NamespacedHorizontalPodAutoscaler: scale automatically with CPU; create an autoscaler
patchAutoscalingV2NamespacedHorizontalPodAutoscaler: raise the maximum of an autoscaler; change autoscaling limits; allow more replicas at peak
patchAutoscalingV1NamespacedHorizontalPodAutoscaler: change the limits of an autoscaler
deleteAutoscalingV2NamespacedHorizontalPodAutoscaler: turn off autoscaling; delete an autoscaler; stop scaling automatically
deleteAutoscalingV1NamespacedHorizontalPodAutoscaler: turn off autoscaling; delete an autoscaler
listCoreV1NamespacedResourceQuota: quotas of a namespace; how much CPU and memory may a team use; resource usage of a team
readCoreV1NamespacedResourceQuota: how much of the quota is used; details of a quota
createCoreV1NamespacedResourceQuota: limit how much a namespace may use; cap CPU and memory of a team; create a quota
patchCoreV1NamespacedResourceQuota: raise a quota; give a team more memory; change the limits of a namespace
deleteCoreV1NamespacedResourceQuota: remove a quota; lift the limits of a namespace
listCoreV1NamespacedLimitRange: default limits for containers; limit ranges
createCoreV1NamespacedLimitRange: set default memory and CPU limits for containers; create a limit range
deleteCoreV1NamespacedLimitRange: remove default container limits
listPolicyV1NamespacedPodDisruptionBudget: list disruption budgets; how many pods must stay up
createPolicyV1NamespacedPodDisruptionBudget: keep at least two pods up during maintenance; create a disruption budget; protect an app from draining
patchPolicyV1NamespacedPodDisruptionBudget: change a disruption budget
deletePolicyV1NamespacedPodDisruptionBudget: delete a disruption budget that blocks draining
readPolicyV1NamespacedPodDisruptionBudget: details of a disruption budget; how many pods may be down
listSchedulingV1PriorityClass: list priority classes; which pods are more important
createSchedulingV1PriorityClass: create a priority class; make an app more important than others
deleteSchedulingV1PriorityClass: delete a priority class
listApiextensionsV1CustomResourceDefinition: list custom resources; which CRDs are installed; what operators added
readApiextensionsV1CustomResourceDefinition: details of a custom resource definition
createApiextensionsV1CustomResourceDefinition: install a custom resource definition; define our own resource type
deleteApiextensionsV1CustomResourceDefinition: delete a custom resource definition; uninstall a CRD
listAdmissionregistrationV1ValidatingWebhookConfiguration: validating admission webhooks; what checks objects before they are created
listAdmissionregistrationV1MutatingWebhookConfiguration: mutating admission webhooks; what changes objects when they are created
createAdmissionregistrationV1ValidatingWebhookConfiguration: register a validating webhook; check objects before they are accepted
deleteAdmissionregistrationV1ValidatingWebhookConfiguration: remove a validating webhook that blocks deployments
deleteAdmissionregistrationV1MutatingWebhookConfiguration: remove a mutating webhook
listCertificatesV1CertificateSigningRequest: pending certificate requests; list CSRs
readCertificatesV1CertificateSigningRequest: details of a certificate signing request
createCertificatesV1CertificateSigningRequest: request a client certificate; create a CSR for a new user
replaceCertificatesV1CertificateSigningRequestApproval: approve a certificate request; deny a CSR; sign off a certificate
patchCertificatesV1CertificateSigningRequestApproval: approve a certificate request; deny a CSR
deleteCertificatesV1CertificateSigningRequest: delete a certificate request
listCoordinationV1NamespacedLease: leases; who is the leader of the election
listApiregistrationV1APIService: API services; which API extensions are registered
getCodeVersion: version of the cluster; which Kubernetes version do we run
getAPIVersions: which API groups does the cluster support
`
