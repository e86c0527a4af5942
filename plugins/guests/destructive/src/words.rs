//! What destroys. A space also stands for any mark between words: "rm rf" is rm -rf.

/// Commands that need nothing more to be read as such.
pub const COMMANDS: &[&str] = &[
    // shells
    "rm rf", "rm fr", "rm r f", "rm f r", "rm IFS rf", "rm recursive", "rm no preserve root", "sudo rm", "wipefs", "shred u", "shred n", "shred z", "format c", "del s q", "del f s q", "rd s q", "rmdir s q", "diskpart clean", "chmod r 777", "chmod 777 r",
    // git and forges
    "git reset hard", "git clean f", "git clean fd", "git clean fdx", "git clean xdf", "git clean dfx", "git filter branch", "git update ref d", "git reflog expire", "gh repo delete", "glab repo delete", "npm unpublish", "cargo yank", "gem yank",
    // infrastructure
    "terraform destroy", "terraform apply destroy", "terraform state rm", "tofu destroy", "terragrunt destroy", "pulumi destroy", "cdk destroy", "serverless remove", "sls remove", "kubectl drain", "docker system prune", "docker volume rm", "docker volume prune",
    "podman system prune", "podman volume rm", "helm uninstall", "helm delete", "aws s3 rb", "aws s3 rm", "gsutil rm", "gsutil m rm", "heroku apps destroy", "heroku pg reset", "flyctl apps destroy", "fly apps destroy", "vercel remove", "systemctl isolate",
    "vagrant destroy", "ansible all m file", "zfs destroy", "zpool destroy", "lvremove", "vgremove", "mdadm zero superblock", "virsh undefine", "qm destroy",
    // databases
    "drop database", "drop schema", "drop keyspace", "drop collection", "truncate table", "dropdb", "flushall", "flushdb", "redis cli flushall", "deleteMany", "delete many", "db dropDatabase", "rake db drop", "db drop", "migrate reset", "migrate fresh",
];

/// SQL that is also ordinary English: "delete from the list".
pub const SQL: &[&str] = &["drop table", "drop view", "drop user", "drop role", "drop index", "drop column", "delete from", "truncate"];

/// Commands that destroy with one of these words behind them on the same line; with dash, only as an option.
pub struct Family {
    pub commands: &'static [&'static str],
    pub then: &'static [&'static str],
    pub dash: bool,
}

pub const FAMILIES: [Family; 8] = [
    Family { commands: &["git push"], then: &["force", "f", "mirror", "delete", "d"], dash: true },
    Family { commands: &["git branch", "git tag", "git worktree"], then: &["D", "d", "delete"], dash: true },
    Family { commands: &["find"], then: &["delete", "exec rm"], dash: true },
    Family { commands: &["remove item", "ri"], then: &["recurse", "force"], dash: true },
    Family { commands: &["aws", "gcloud", "az", "doctl", "oci", "linode cli", "hcloud", "ibmcloud", "firebase"], then: &["delete", "terminate", "purge", "deregister", "destroy", "remove", "rm"], dash: false },
    Family { commands: &["kubectl", "oc"], then: &["delete"], dash: false },
    Family { commands: &["mkfs", "fdisk", "parted", "blkdiscard", "dd if", "dd of", "cat dev zero"], then: &["dev"], dash: false },
    Family { commands: &["vault", "consul", "etcdctl", "rclone", "borg", "restic"], then: &["delete", "destroy", "purge", "forget", "del"], dash: false },
];

/// Ordinary words for it.
pub const PROSE: &[&str] = &[
    "cannot be undone", "can not be undone", "can't be undone", "is irreversible", "irreversibly", "permanently delete", "permanently deleted", "permanently deletes", "permanently remove", "permanently removed", "permanently erase", "permanently erased",
    "erase all", "erase everything", "wipe all", "wipe the", "delete all", "delete everything", "deletes all", "destroy all", "destroys all", "drop all", "remove all data", "factory reset", "force push", "tear down the", "format the disk",
    "endgültig gelöscht", "endgültig löschen", "unwiderruflich", "nicht rückgängig gemacht", "alles löschen", "definitief verwijderen", "onherroepelijk", "supprimer définitivement", "définitivement supprimé", "irréversible", "tout supprimer", "eliminar permanentemente",
    "eliminar definitivamente", "no se puede deshacer", "excluir permanentemente", "não pode ser desfeito", "eliminare definitivamente", "irreversibile", "non può essere annullato", "trwale usunąć", "nieodwracalnie", "безвозвратно", "удалить навсегда", "kalıcı olarak sil",
    "geri alınamaz", "永久删除", "无法撤销", "永久刪除", "無法復原", "完全に削除", "元に戻せません", "영구 삭제", "되돌릴 수 없",
];

/// The verbs of tools that destroy.
pub const TOOLS: &[&str] = &["delete", "destroy", "drop", "purge", "wipe", "truncate", "terminate", "erase", "remove", "uninstall", "reset", "force push", "format"];

/// What turns the words behind it around, where the settings trust it.
pub const NEGATIONS: &[&str] = &["never", "not", "don't", "without", "no", "won't", "doesn't", "instead of", "avoid", "nie", "nicht", "kein", "ohne", "jamais", "sans", "nunca", "sin", "não", "sem", "mai", "senza", "не", "без", "不会", "不要", "没有"];
