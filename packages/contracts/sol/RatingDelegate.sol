// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Signatures} from "./Signatures.sol";

struct RelayedGiveFeedback {
    address registry;
    uint256 agentId;
    int128 value;
    uint8 valueDecimals;
    string tag1;
    string tag2;
    string endpoint;
    string feedbackURI;
    bytes32 feedbackHash;
    uint256 deadline;
    bytes32 nonce;
}

struct RelayedRevokeFeedback {
    address registry;
    uint256 agentId;
    uint64 feedbackIndex;
    uint256 deadline;
    bytes32 nonce;
}

struct RelayedAppendResponse {
    address registry;
    uint256 agentId;
    address clientAddress;
    uint64 feedbackIndex;
    string responseURI;
    bytes32 responseHash;
    uint256 deadline;
    bytes32 nonce;
}

interface IReputationRegistry {
    function giveFeedback(
        uint256 agentId, int128 value, uint8 valueDecimals, string calldata tag1, string calldata tag2,
        string calldata endpoint, string calldata feedbackURI, bytes32 feedbackHash
    ) external;
    function revokeFeedback(uint256 agentId, uint64 feedbackIndex) external;
    function appendResponse(
        uint256 agentId, address clientAddress, uint64 feedbackIndex, string calldata responseURI,
        bytes32 responseHash
    ) external;
}

interface IRatingRelay {
    function relayGiveFeedback(RelayedGiveFeedback calldata f, bytes calldata signature) external;
    function relayRevokeFeedback(RelayedRevokeFeedback calldata r, bytes calldata signature) external;
    function relayAppendResponse(RelayedAppendResponse calldata a, bytes calldata signature) external;
}

/// @notice The code that a rater's own account runs (EIP-7702), so that another account pays for the transaction and
/// the registry still sees the rater. Here `address(this)` is the rater, in every call another one.
contract RatingDelegate is IRatingRelay {
    uint256 public constant VERSION = 4;
    address public immutable REPUTATION_REGISTRY;

    bytes32 private constant GIVE_TYPEHASH = keccak256(
        "RelayedGiveFeedback(address registry,uint256 agentId,int128 value,uint8 valueDecimals,string tag1,string tag2,string endpoint,string feedbackURI,bytes32 feedbackHash,uint256 deadline,bytes32 nonce)"
    );
    bytes32 private constant REVOKE_TYPEHASH = keccak256(
        "RelayedRevokeFeedback(address registry,uint256 agentId,uint64 feedbackIndex,uint256 deadline,bytes32 nonce)"
    );
    bytes32 private constant RESPONSE_TYPEHASH = keccak256(
        "RelayedAppendResponse(address registry,uint256 agentId,address clientAddress,uint64 feedbackIndex,string responseURI,bytes32 responseHash,uint256 deadline,bytes32 nonce)"
    );
    bytes32 private constant CANCEL_TYPEHASH = keccak256("RelayedCancelNonce(bytes32 nonce,uint256 deadline)");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    /// The storage is the rater's account's, which other delegates may use too: a slot of our own (ERC-7201).
    bytes32 private constant NONCES_SLOT =
        keccak256(abi.encode(uint256(keccak256("ergon.rating-delegate.nonces")) - 1)) & ~bytes32(uint256(0xff));

    event NonceCanceled(bytes32 indexed nonce);

    error WrongRegistry(address registry);
    error SignatureExpired(uint256 deadline);
    error NonceAlreadyUsed(bytes32 nonce);
    error InvalidSignature();

    modifier onlyOwnRegistry(address registry) {
        if (registry != REPUTATION_REGISTRY) revert WrongRegistry(registry);
        _;
    }

    constructor(address reputationRegistry) {
        REPUTATION_REGISTRY = reputationRegistry;
    }

    /// The account goes on receiving plain transfers of the chain's coin.
    receive() external payable {}

    function relayGiveFeedback(RelayedGiveFeedback calldata f, bytes calldata signature)
        external onlyOwnRegistry(f.registry)
    {
        _consume(giveFeedbackDigest(f), f.deadline, f.nonce, signature);
        IReputationRegistry(f.registry).giveFeedback(
            f.agentId, f.value, f.valueDecimals, f.tag1, f.tag2, f.endpoint, f.feedbackURI, f.feedbackHash
        );
    }

    function relayRevokeFeedback(RelayedRevokeFeedback calldata r, bytes calldata signature)
        external onlyOwnRegistry(r.registry)
    {
        _consume(revokeFeedbackDigest(r), r.deadline, r.nonce, signature);
        IReputationRegistry(r.registry).revokeFeedback(r.agentId, r.feedbackIndex);
    }

    function relayAppendResponse(RelayedAppendResponse calldata a, bytes calldata signature)
        external onlyOwnRegistry(a.registry)
    {
        _consume(appendResponseDigest(a), a.deadline, a.nonce, signature);
        IReputationRegistry(a.registry).appendResponse(
            a.agentId, a.clientAddress, a.feedbackIndex, a.responseURI, a.responseHash
        );
    }

    /// @notice Makes a signed relay worthless before it is sent.
    function cancelNonceWithSig(bytes32 nonce, uint256 deadline, bytes calldata signature) external {
        bytes32 structHash = keccak256(abi.encode(CANCEL_TYPEHASH, nonce, deadline));
        _consume(_digest(structHash), deadline, nonce, signature);
        emit NonceCanceled(nonce);
    }

    function nonceUsed(bytes32 nonce) external view returns (bool) {
        return _nonces()[nonce];
    }

    function giveFeedbackDigest(RelayedGiveFeedback calldata f) public view returns (bytes32) {
        return _digest(keccak256(abi.encode(
            GIVE_TYPEHASH, f.registry, f.agentId, f.value, f.valueDecimals, keccak256(bytes(f.tag1)),
            keccak256(bytes(f.tag2)), keccak256(bytes(f.endpoint)), keccak256(bytes(f.feedbackURI)), f.feedbackHash,
            f.deadline, f.nonce
        )));
    }

    function revokeFeedbackDigest(RelayedRevokeFeedback calldata r) public view returns (bytes32) {
        return _digest(keccak256(abi.encode(
            REVOKE_TYPEHASH, r.registry, r.agentId, r.feedbackIndex, r.deadline, r.nonce
        )));
    }

    function appendResponseDigest(RelayedAppendResponse calldata a) public view returns (bytes32) {
        return _digest(keccak256(abi.encode(
            RESPONSE_TYPEHASH, a.registry, a.agentId, a.clientAddress, a.feedbackIndex,
            keccak256(bytes(a.responseURI)), a.responseHash, a.deadline, a.nonce
        )));
    }

    /// @notice Computed at each call: a stored one would name the delegate, not the rater, and one signature would
    /// then serve every account that delegates here.
    function domainSeparator() public view returns (bytes32) {
        return keccak256(abi.encode(
            DOMAIN_TYPEHASH, keccak256("FeedbackDelegate"), keccak256("1"), block.chainid, address(this)
        ));
    }

    /// @notice The account goes on signing for contracts that ask an account with code (ERC-1271).
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return Signatures.isSignedByKey(address(this), hash, signature) ? this.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// @notice The account goes on receiving tokens that ask first (ERC-721, ERC-1155).
    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC1155Received.selector;
    }

    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external pure returns (bytes4)
    {
        return this.onERC1155BatchReceived.selector;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == type(IRatingRelay).interfaceId || id == 0x01ffc9a7 || id == this.onERC721Received.selector
            || id == this.onERC1155Received.selector ^ this.onERC1155BatchReceived.selector
            || id == this.isValidSignature.selector;
    }

    /// The nonce is spent before the registry is called.
    function _consume(bytes32 digest, uint256 deadline, bytes32 nonce, bytes calldata signature) private {
        if (block.timestamp > deadline) revert SignatureExpired(deadline);
        if (_nonces()[nonce]) revert NonceAlreadyUsed(nonce);
        if (!Signatures.isSignedByKey(address(this), digest, signature)) revert InvalidSignature();
        _nonces()[nonce] = true;
    }

    function _digest(bytes32 structHash) private view returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", domainSeparator(), structHash));
    }

    function _nonces() private pure returns (mapping(bytes32 nonce => bool) storage used) {
        bytes32 slot = NONCES_SLOT;
        assembly {
            used.slot := slot
        }
    }
}
